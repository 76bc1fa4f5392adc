import { NextRequest } from "next/server";
import { expect, test, vi } from "vitest";

import { answerPost } from "./handlers";

vi.mock("next/headers", () => ({ headers: () => Promise.resolve(new Headers()) }));
vi.mock("@/app/_server/auth", () => ({
  handlers: { POST: async (request: Request) => new Response(`${request.method} ${await request.text()}`) },
}));

const ADDRESS = "http://localhost:3000/api/auth/callback/google";
const CHUNK = new TextEncoder().encode("x".repeat(16 * 1024));

test("what an identity provider posts arrives whole", async () => {
  const form = new URLSearchParams({ code: "c".repeat(4_000), state: "é" });
  const answer = await answerPost(new NextRequest(ADDRESS, { method: "POST", body: form }));
  expect(await answer.text()).toBe(`POST ${form.toString()}`);
});

test("a body without end is refused after its first kilobytes", async () => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += CHUNK.byteLength;
      if (sent > 1024 * 1024) controller.close();
      else controller.enqueue(CHUNK);
    },
  });
  const answer = await answerPost(new NextRequest(ADDRESS, { method: "POST", body, duplex: "half" }));
  expect([answer.status, await answer.json()]).toMatchObject([413, { error: { code: "payload_too_large" } }]);
  expect(sent).toBeLessThan(200_000);
});
