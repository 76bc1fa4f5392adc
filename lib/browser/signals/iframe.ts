import { readRealm, realm, type Scope } from "./realm";

/**
 * What a fresh `srcdoc` frame says of the same browser: tools that patch the page often miss it.
 * Harmless cause of a missing value: content blockers that empty frames.
 */
export const readIframe = () => {
  const frame = document.createElement("iframe");
  frame.style.display = "none";
  frame.srcdoc = " ";
  document.documentElement.append(frame);
  try {
    const inner: unknown = frame.contentWindow;
    if (!inner) return undefined;
    return { ...realm(readRealm(inner as Scope)), isSelfWindow: (inner as Window).self === inner };
  } finally {
    frame.remove();
  }
};
