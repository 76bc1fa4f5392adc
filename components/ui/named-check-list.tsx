"use client";

import { CheckList } from "./check-list";
import { useNames } from "./use-names";

type Props = {
  label: string;
  hint: string;
  /** Route that lists the options by name. */
  path: string;
  chosen: readonly string[];
  onChoose: (values: string[]) => void;
};

const STATE_TEXTS = { loading: "Loading…", failed: "The list could not be loaded. What was chosen stays." };

/** Selects several of what a workspace may have thousands of: the list is loaded only when it is shown. */
export function NamedCheckList({ path, ...list }: Props) {
  const { names, state } = useNames(path);
  return (
    <div>
      <CheckList {...list} options={names.map(({ id, name }) => ({ value: id, label: name }))} />
      <p role="status" className="text-xs text-fg-muted">
        {state === "loaded" ? "" : STATE_TEXTS[state]}
      </p>
    </div>
  );
}
