import express from "express";
import { createImprintServer } from "imprint-server";

import { page } from "./page.mjs";

const app = express();
const imprint = createImprintServer({ endpoint: "https://imprint.example.com", apiKey: process.env["IMPRINT_KEY"] });

app.get("/", (_, response) => void response.send(page));

app.post("/sign-in", express.urlencoded(), async (request, response) => {
  const form = /** @type {Record<string, unknown> | undefined} */ (request.body);
  const expected = { surface: "sign-in", origin: "http://localhost:8080" };
  const visit = await imprint.acceptImprint(form?.["imprint"], expected);
  response.send(visit.accepted ? `Signed in: ${visit.report.risk.status}` : `Second factor: ${visit.reason}`);
});

app.listen(process.env["PORT"] ?? 8080);
