import type { ComponentProps, ReactNode } from "react";

import { Id } from "./id";
import { Td, Th } from "./table";
import { RelativeTime } from "./time";

/** Header of a column of numbers. */
export function NumberTh({ children }: { children: ReactNode }) {
  return <Th className="text-right">{children}</Th>;
}

type TimeTdProps = Omit<ComponentProps<typeof RelativeTime>, "at"> & {
  /** Null for what has not happened. */
  at: Date | string | null;
  /** Shown after the time. */
  children?: ReactNode;
};

/** A cell with a time, or `never`. */
export function TimeTd({ at, children, ...time }: TimeTdProps) {
  return (
    <Td>
      {at === null ? <span className="text-fg-muted">never</span> : <RelativeTime at={at} {...time} />}
      {children}
    </Td>
  );
}

/** A cell with an identifier. */
export function IdTd(props: ComponentProps<typeof Id>) {
  return (
    <Td>
      <Id {...props} />
    </Td>
  );
}
