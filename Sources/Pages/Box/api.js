// Asks the broadcaster for pictures and events.

import { Refusal, listen as listenTo, open } from "./requests.js";

// The latest picture, or null if there is none.
export async function picture(signal) {
  try {
    return await (await open("/v1/preview.jpg", { signal })).blob();
  } catch (error) {
    if (error instanceof Refusal && error.code === "noPicture") return null;
    throw error;
  }
}

// The live stream, in a rendition if one is named: its type with the codecs, and a reader of its bytes.
export async function live(signal, rendition) {
  const query = rendition ? `?rendition=${encodeURIComponent(rendition)}` : "";
  const answer = await open(`/v1/live.mp4${query}`, { signal });
  return { type: answer.headers.get("Content-Type") ?? "", reader: answer.body.getReader() };
}

// Passes on each event, with a status at least every `every` milliseconds, until the stream ends.
export const listen = ({ every, ...how }) => listenTo(`/v1/events?status=${every}`, how);
