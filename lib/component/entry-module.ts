import { createImprintFor } from "./client";

export { isImprintError } from "./error";

export const createImprint = createImprintFor(new URL(import.meta.url).origin, location.href);
