import express from "express";
import { imprintProxy } from "imprint-server";

const { IMPRINT_URL = "", IMPRINT_KEY = "", PORT } = process.env;
const app = express();
// The number of proxies in front, so that request.ip is the visitor's.
app.set("trust proxy", 1);
// Before any body parser.
app.use(imprintProxy({ endpoint: IMPRINT_URL, apiKey: IMPRINT_KEY }).node);

app.listen(Number(PORT ?? 3000));
