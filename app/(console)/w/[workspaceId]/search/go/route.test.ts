import { expect, test, vi } from "vitest";

import { POST } from "./route";

vi.mock("@/app/_server/action", () => ({ requireOwnOrigin: () => Promise.resolve() }));
vi.mock("@/app/_server/recent-write", () => ({ pageReader: () => Promise.resolve(undefined) }));
vi.mock("@/app/_server/page", () => ({
  currentActor: () => Promise.resolve({ kind: "user", userId: "usr_1", email: "ada@example.com" }),
  requestFacts: () => Promise.resolve({ requestId: "req_1" }),
  requestId: () => Promise.resolve("req_1"),
  requestOperation: () => Promise.resolve(undefined),
}));
vi.mock("@/db/client", () => ({ database: () => ({}) }));
vi.mock("@/lib/visits/reports", () => ({
  findSubject: (_context: unknown, { text }: { text: string }) => Promise.resolve({ kind: "address", range: text }),
}));

const search = (body: BodyInit) => {
  const init = { method: "POST", body, duplex: "half" };
  return POST(new Request("http://localhost:3000/w/ws_1/search/go", init), {
    params: Promise.resolve({ workspaceId: "ws_1" }),
  });
};

test("the text of the form is what is searched for", async () => {
  const answer = await search(new URLSearchParams({ search: "203.0.113.0/24" }));
  expect([answer.status, answer.headers.get("location")]).toEqual([
    303,
    expect.stringContaining(encodeURIComponent("203.0.113.0/24")),
  ]);
});

test("a body without end is refused after its first kilobytes", async () => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1024;
      if (sent > 1024 * 1024) controller.close();
      else controller.enqueue(new TextEncoder().encode("x".repeat(1024)));
    },
  });
  expect((await search(body)).status).toBe(413);
  expect(sent).toBeLessThan(100_000);
});
