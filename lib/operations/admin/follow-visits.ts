import { createProgress, type Output } from "@/lib/operations/backup";

const VISITS_OF_LINE = 1_000;

/** What holds if an export is interrupted. */
export const EXPORT_INTERRUPTED =
  "What was printed is incomplete, nothing was changed, and the export is recorded. Run the command again.";

/** Tells how many of a device's or an account's visits are done. */
export function followVisits(stderr: Output, title: string, expected = 0) {
  const progress = createProgress(stderr, title);
  let told = 0;
  const at = (visits: number, total = expected) => {
    const text = `${visits} visits`;
    progress.at(visits / Math.max(1, total), text);
    if (visits - told < VISITS_OF_LINE) return;
    told = visits;
    progress.done(text);
  };
  return { at, end: progress.end };
}

/** Pages of visits, with progress as each is taken. */
export async function* followPages<Visit>(
  pages: AsyncIterable<readonly Visit[]>,
  { at, end }: ReturnType<typeof followVisits>,
): AsyncGenerator<readonly Visit[], void> {
  let visits = 0;
  try {
    for await (const page of pages) {
      yield page;
      visits += page.length;
      at(visits);
    }
  } finally {
    end();
  }
}
