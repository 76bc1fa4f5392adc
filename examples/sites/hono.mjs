import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createImprintServer } from "imprint-server";

import { page } from "./page.mjs";

const app = new Hono();
const imprint = createImprintServer({ endpoint: "https://imprint.example.com", apiKey: process.env["IMPRINT_KEY"] });

app.get("/", (context) => context.html(page));

app.post("/sign-in", async (context) => {
  const form = await context.req.parseBody();
  const expected = { surface: "sign-in", origin: "http://localhost:8080" };
  const visit = await imprint.acceptImprint(form["imprint"], expected);
  return context.text(visit.accepted ? `Signed in: ${visit.report.risk.status}` : `Second factor: ${visit.reason}`);
});

serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 8080) });
