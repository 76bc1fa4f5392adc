"use server";
import { createImprintServer } from "imprint-server";

export async function signIn(form: FormData): Promise<string> {
  const apiKey = process.env["IMPRINT_KEY"]; // read here, because a build has no secrets
  const imprint = createImprintServer({ endpoint: "https://imprint.example.com", apiKey });
  const expected = { surface: "sign-in", origin: "http://localhost:8080" };
  const visit = await imprint.acceptImprint(form.get("imprint"), expected);
  return visit.accepted ? `Signed in: ${visit.report.risk.status}` : `Second factor: ${visit.reason}`;
}
