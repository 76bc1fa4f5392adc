const CHUNK_CHARACTERS = 32_768;

/** Streams a response body with backpressure; a disconnect ends the generator. */
export function textStream(parts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let text = "";
      while (text.length < CHUNK_CHARACTERS) {
        const part = await parts.next();
        if (part.done) {
          if (text !== "") controller.enqueue(encoder.encode(text));
          controller.close();
          return;
        }
        text += part.value;
      }
      controller.enqueue(encoder.encode(text));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
