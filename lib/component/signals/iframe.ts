import { yieldTask } from "../read";
import { readRealm, realm, removeLater, type Scope } from "./realm";

/**
 * What a fresh frame says of the same browser: tools that patch the page often miss it.
 * Harmless cause of a missing value: content blockers that empty frames.
 */
export const readIframe = async () => {
  const frame = document.createElement("iframe");
  frame.style.display = "none";
  // Tools that replace frames do it when `srcdoc` is set; without it again, the browser loads nothing.
  frame.srcdoc = " ";
  frame.removeAttribute("srcdoc");
  document.documentElement.append(frame);
  await yieldTask();
  removeLater(() => {
    frame.remove();
  });
  const inner: unknown = frame.contentWindow;
  if (!inner) return undefined;
  return { ...realm(readRealm(inner as Scope)), isSelfWindow: (inner as Window).self === inner };
};
