import { brandLists } from "../client-hints";
import type { Compared } from "../evidence";
import type { Rule } from "../rule";
import { groupValue, type Visit } from "../visit";

const TOKEN = /headless/i;

/** All texts in which a browser names itself. */
function selfDescriptions(visit: Visit): { label: string; value: string }[] {
  const { signals, request } = visit;
  const texts = [
    { label: "User agent, page", value: groupValue(signals, "navigator")?.userAgent },
    { label: "User agent, worker", value: groupValue(signals, "worker")?.userAgent },
    { label: "User agent, frame", value: groupValue(signals, "iframe")?.userAgent },
    { label: "User-Agent header", value: request.userAgent },
  ].flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }]));
  const brands = brandLists(visit).flatMap((list) =>
    list.brands.length === 0 ? [] : [{ label: list.label, value: list.brands.map(({ brand }) => brand).join(", ") }],
  );
  return [...texts, ...brands];
}

/** Headless Chromium names itself in all of these unless a tool rewrote the name. */
export const headlessToken: Rule = {
  id: "automation.headless-token",
  reason: "AUTOMATION_DETECTED",
  source: "Chromium, headless product name (HeadlessChrome) in user agent and client hints",
  harmlessCauses: ["Uptime monitors", "Services that render previews or PDF files", "The site's own end-to-end tests"],
  check(visit) {
    const texts = selfDescriptions(visit);
    // The component reads the user agent before it is truncated for sending.
    const isSeen = groupValue(visit.signals, "automation")?.hasHeadlessToken === true;
    if (!isSeen && !texts.some(({ value }) => TOKEN.test(value))) return undefined;
    const compared: Compared[] = texts.map(({ label, value }) => ({ label, value, isOdd: TOKEN.test(value) }));
    if (isSeen) compared.push({ label: "Headless token seen by the component", value: "true", isOdd: true });
    return {
      status: "DECEPTIVE",
      explanation: "The browser identifies itself as headless, which means that it runs without a window.",
      compared,
    };
  },
};
