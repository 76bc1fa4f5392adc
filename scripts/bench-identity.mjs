/**
 * Measures device identity on a synthetic stream of visits, beside three baselines; see `--help`.
 * The program is TypeScript on the product's own rules: it is bundled first, then run.
 */
import { loadBundle } from "./bench-database/bundle.mjs";

await loadBundle("bench-identity-main.ts");
