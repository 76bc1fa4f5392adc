import fastify from "fastify";
import { createImprintServer } from "imprint-server";

import { page } from "./page.mjs";

const app = fastify();
const imprint = createImprintServer({ endpoint: "https://imprint.example.com", apiKey: process.env["IMPRINT_KEY"] });

app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_, body, done) => {
  done(null, Object.fromEntries(new URLSearchParams(String(body))));
});

app.get("/", (_, reply) => reply.type("text/html").send(page));

app.post("/sign-in", async (request) => {
  const form = /** @type {Record<string, unknown> | undefined} */ (request.body);
  const expected = { surface: "sign-in", origin: "http://localhost:8080" };
  const visit = await imprint.acceptImprint(form?.["imprint"], expected);
  return visit.accepted ? `Signed in: ${visit.report.risk.status}` : `Second factor: ${visit.reason}`;
});

await app.listen({ port: Number(process.env["PORT"] ?? 8080) });
