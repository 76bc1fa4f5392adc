import { ButtonLink } from "./button";
import { filterAddress, type FilterTexts } from "./filter-texts";

type Props = { path: string; query: FilterTexts; cursor: string | undefined; nextCursor: string | undefined };

/** Where a log that is shown by pages, newest first, goes on. */
export function PageLinks({ path, query, cursor, nextCursor }: Props) {
  if (cursor === undefined && nextCursor === undefined) return null;
  return (
    <nav aria-label="Pages" className="flex justify-end gap-2 border-t px-4 py-2">
      {cursor === undefined ? null : (
        <ButtonLink size="sm" href={filterAddress(path, query)}>
          Newest
        </ButtonLink>
      )}
      {nextCursor === undefined ? null : (
        <ButtonLink size="sm" href={filterAddress(path, query, { cursor: nextCursor })}>
          Older
        </ButtonLink>
      )}
    </nav>
  );
}
