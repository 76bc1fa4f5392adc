import { createImprintFor } from "./client";

export { isImprintError } from "./error";

export const createImprint = createImprintFor(import.meta.url.split(/[?#]/)[0], location.href);
