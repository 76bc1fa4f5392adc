const CHUNK_CHARACTERS = 32_768;

/** A body that is produced while it is sent, no faster than the client reads it. A client that disconnects ends it. */
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
