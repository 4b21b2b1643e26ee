// Reads the mark of each picture that the page's video element shows, and when each beep is heard.
// The first argument is the side of a cell, the second their number in a row.
const marks = new MarkReader(...arguments);
const video = document.getElementById("live");
const seen = window.seen = { pictures: [], beeps: [], unreadable: 0, stalls: 0 };
video.addEventListener("waiting", () => { seen.stalls += 1; });

// A picture is seen when the browser expects to display it.
function picture(now, { expectedDisplayTime }) {
  const found = marks.read(video);
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
