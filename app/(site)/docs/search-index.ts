import { REASON_COPY } from "@/components/report/reason-copy";
import { type Section, sectionsOf } from "@/components/docs/search";
import { REASONS } from "@/lib/contract/report";
import { ERRORS } from "@/lib/errors";
import { DOC_PAGES, readDoc } from "./pages";

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

/** Everything that can be found in the documentation. */
export async function readSections(): Promise<Section[]> {
  const pages = await Promise.all(
    DOC_PAGES.map(async ({ slug, file, title }) =>
      sectionsOf({ href: `/docs/${slug}`, title }, (await readDoc(file)) ?? ""),
    ),
  );
  return [...pages.flat(), ...reasons(), ...errors()];
}
