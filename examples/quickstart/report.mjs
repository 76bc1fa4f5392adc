// npm install https://imprint.example.com/v1/imprint-server-0.3.1.tgz
import { createImprintServer } from "imprint-server";

const imprint = createImprintServer({ endpoint: "https://imprint.example.com", apiKey: process.env["IMPRINT_KEY"] });

/**
 * Checks that the form field is evidence for this sign-in: an imprint of your own page, created for this action just now
 * and used for nothing else. Never rejects, so your sign-in continues: a refusal says why there is no Report.
 *
 * @param {unknown} field
 */
export const acceptSignIn = (field) =>
  imprint.acceptImprint(field, { surface: "sign-in", origin: "http://localhost:8080" }); // your page's origin
