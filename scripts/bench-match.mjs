/**
 * Measures how long it takes to find and link a device among many; see `--help`.
 * The program is TypeScript on the product's own queries: it is bundled first, then run.
 */
import { loadBundle } from "./bench-database/bundle.mjs";

await loadBundle("bench-match-main.ts");
