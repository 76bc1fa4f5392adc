import Form from "next/form";

import { countText } from "./counted";
import { Button } from "./button";
import { type Found, MAX_SHOWN } from "./find-in-list";
import { Input } from "./input";
import { Link } from "./link";
import { NoMatchState } from "./states";
import { foreign } from "./foreign";

/** `the first 100 of 2,000`, `3 found of 2,000` */
function foundText({ rows, text, matching, total }: Found<unknown>): string {
  const first = rows.length < matching ? `the first ${countText(rows.length)} of ` : "";
  return text === "" ? `${first}${countText(total)}` : `${first}${countText(matching)} found of ${countText(total)}`;
}

type Props = {
  /** URL of the page. */
  path: string;
  /** Parameter of its query. */
  name?: string;
  found: Found<unknown>;
  /** What can be searched for. */
  label: string;
};

/** The search box above a list that is too long to be shown in full, with the number of rows. It works without scripts. */
export function FindBox({ path, name = "find", found, label }: Props) {
  const { text, matching, total } = found;
  if (total === 0 || (total <= MAX_SHOWN && text === "")) return null;
  return (
    <>
      <Form
        action={path}
        prefetch={false}
        role="search"
        aria-label={label}
        className="flex flex-wrap items-center gap-2 p-2"
      >
        <Input
          key={text}
          type="search"
          name={name}
          defaultValue={text}
          maxLength={200}
          autoComplete="off"
          aria-label={label}
          placeholder={label}
          className="sm:w-80"
        />
        <Button type="submit">Find</Button>
        {text === "" ? null : (
          <Link href={path} className="link">
            Clear
          </Link>
        )}
        <span role="status" className="px-2 text-xs text-fg-muted">
          {foundText(found)}
        </span>
      </Form>
      {matching === 0 ? <NoMatchState title={`Nothing matches “${foreign(text)}”`} /> : null}
    </>
  );
}
