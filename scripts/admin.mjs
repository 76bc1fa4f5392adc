import { runBundle } from "./build/run-bundle.mjs";

await runBundle("admin");
