import { createImprintFor } from "./client";
import { isImprintError } from "./error";

/** Only while the script first runs does the document say which script that is. */
const script = document.currentScript as HTMLScriptElement | null;

Object.assign(globalThis, {
  Imprint: {
    createImprint: createImprintFor(script?.src.split(/[?#]/)[0], location.href),
    isImprintError,
  },
});
