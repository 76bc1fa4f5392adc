import { MAX_DAYS } from "./report-query";

type Props = {
  /** Whether the given time is invalid. */
  isTime: boolean;
  /** The period that the page shows instead. */
  shown: string;
  /** Names of the filters with an invalid value. */
  filters?: readonly string[];
};

/** Names the invalid parts of a URL, so that nobody takes the list for narrowed by them. */
export function LeftOutNotice({ isTime, shown, filters = [] }: Props) {
  if (!isTime && filters.length === 0) return null;
  return (
    <div role="status" className="mb-4 rounded-md bg-susp-bg px-3 py-2 text-susp">
      {isTime ? (
        <p>
          This shows the {shown}. A time of your own has a beginning and an end after it, at most {MAX_DAYS} days apart.
        </p>
      ) : null}
      {filters.length > 0 ? (
        <p>
          Not understood, so nothing is filtered by {filters.length === 1 ? "it" : "them"}: {filters.join(", ")}.
        </p>
      ) : null}
    </div>
  );
}
