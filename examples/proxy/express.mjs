import express from "express";
import { imprintProxy } from "imprint-server";

const { IMPRINT_URL = "", IMPRINT_KEY = "", PORT } = process.env;
const app = express();
// How many proxies of yours stand in front: then request.ip is the visitor's.
app.set("trust proxy", 1);
// Before anything that parses bodies.
app.use(imprintProxy({ endpoint: IMPRINT_URL, apiKey: IMPRINT_KEY }).node);

app.listen(Number(PORT ?? 3000));
