import { ImprintServerError } from "./error";

/** A Report has 3 kB, the longest History 30. */
const MAX_BYTES = 1024 * 1024;

const tooLarge = (status: number) =>
  new ImprintServerError("bad_response", "The endpoint answered with more than 1 MB, which no answer of Imprint has", {
    status,
  });

/** @throws ImprintServerError `bad_response` when there is too much of it */
export async function readText(response: Response): Promise<string> {
  const { body, status } = response;
  if (Number(response.headers.get("Content-Length")) > MAX_BYTES) {
    await body?.cancel();
    throw tooLarge(status);
  }
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_BYTES) {
      await reader.cancel();
      throw tooLarge(status);
    }
    text += decoder.decode(value, { stream: true });
  }
}
