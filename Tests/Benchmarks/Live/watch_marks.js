// Runs inside the page: reads the mark of each picture that its video element shows, and when each beep is heard.
// The first argument is the side of a cell, the second their number in a row.
const [side, columns] = arguments;
const video = document.getElementById("live");
const rows = Math.ceil(96 / columns);
const canvas = document.createElement("canvas");
[canvas.width, canvas.height] = [columns * side, rows * side];
const context = canvas.getContext("2d", { willReadFrequently: true });
const seen = window.seen = { pictures: [], beeps: [], unreadable: 0, stalls: 0 };
video.addEventListener("waiting", () => { seen.stalls += 1; });

// The number and the time in milliseconds; null if the checksum is wrong.
function mark() {
  context.drawImage(video, 0, 0, canvas.width, canvas.height, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let word = 0n;
  for (let cell = 0; cell < 96; cell += 1) {
    const x = cell % columns * side + side / 2;
    const y = Math.floor(cell / columns) * side + side / 2;
    let sum = 0;
    for (const dy of [-2, 0, 2]) for (const dx of [-2, 0, 2]) sum += data[((y + dy) * canvas.width + x + dx) * 4 + 1];
    word = word << 1n | (sum > 9 * 125 ? 1n : 0n);
  }
  const payload = word >> 16n;
  let register = 0xffff;
  for (let shift = 72n; shift >= 0n; shift -= 8n) {
    register ^= Number(payload >> shift & 0xffn) << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      register = (register & 0x8000 ? register << 1 ^ 0x1021 : register << 1) & 0xffff;
    }
  }
  return BigInt(register) === (word & 0xffffn)
    ? [Number(payload >> 48n), Number(payload & (1n << 48n) - 1n) / 1000] : null;
}

// A picture is seen when the browser expects to display it.
function picture(now, { expectedDisplayTime }) {
  const found = mark();
  if (found) seen.pictures.push([...found, Math.max(now, expectedDisplayTime)]);
  else seen.unreadable += 1;
  video.requestVideoFrameCallback(picture);
}
video.requestVideoFrameCallback(picture);

const audio = new AudioContext();
const analyser = audio.createAnalyser();
analyser.fftSize = 4096;
audio.createMediaElementSource(video).connect(analyser).connect(audio.destination);
const samples = new Float32Array(analyser.fftSize);
let last = -1;
setInterval(() => {
  analyser.getFloatTimeDomainData(samples);
  const [end, output] = [audio.currentTime, audio.getOutputTimestamp()];
  // The hum has a fifth of this amplitude, a beep three times of it.
  const loud = samples.findIndex((sample) => Math.abs(sample) > 0.12);
  const onset = end - (samples.length - loud) / audio.sampleRate;
  // Neither the rest of a beep, nor its end.
  if (loud <= 0 || onset - last < 0.5) return;
  last = onset;
  seen.beeps.push(output.performanceTime + (onset - output.contextTime) * 1000);
}, 15);
