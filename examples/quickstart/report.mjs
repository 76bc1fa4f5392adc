// npm install https://imprint.example.com/v1/imprint-server-0.3.1.tgz
import { createImprintServer } from "imprint-server";

const imprint = createImprintServer({ endpoint: "https://imprint.example.com", apiKey: process.env["IMPRINT_KEY"] });

/**
 * Whether what came in the form is evidence for this sign-in: an imprint of your own page, made for this action just now
 * and used for nothing else. Never rejects, and your sign-in goes on: a refusal says why there is no Report.
 *
 * @param {unknown} field
 */
export const acceptSignIn = (field) =>
  imprint.acceptImprint(field, { surface: "sign-in", origin: "http://localhost:8080" }); // your page's origin
