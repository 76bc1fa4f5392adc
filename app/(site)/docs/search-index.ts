import { REASON_COPY } from "@/components/report/reason-copy";
import { ERRORS } from "@/lib/contract/errors";
import { REASONS } from "@/lib/contract/report";
import { readDocument } from "@/lib/interfaces/documents";
import { onceUnlessFailed } from "@/lib/platform/share-runs";
import { type Section, sectionsOf } from "./_components/search";
import { DOC_PAGES } from "./pages";

const reasons = (): Section[] =>
  REASONS.map((reason) => {
    const { title, meaning, harmlessCauses } = REASON_COPY[reason];
    const text = `${reason} ${meaning} Also seen with: ${harmlessCauses}.`;
    return { href: `/docs/reasons#${reason}`, page: "Reasons", heading: title, text };
  });

const errors = (): Section[] =>
  Object.entries(ERRORS).map(([code, { status, message }]) => ({
    href: `/docs/errors/${code}`,
    page: "Errors",
    heading: code,
    text: `${status} ${message}`,
  }));

/** Search index of the documentation, built once per process. */
export const readSections = onceUnlessFailed(async (): Promise<Section[]> => {
  const pages = await Promise.all(
    DOC_PAGES.map(async ({ slug, file, title }) =>
      sectionsOf({ href: `/docs/${slug}`, title }, await readDocument(file)),
    ),
  );
  return [...pages.flat(), ...reasons(), ...errors()];
});
