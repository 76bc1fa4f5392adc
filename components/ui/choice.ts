import { cn } from "./class-names";

/** Style of a toggle link or button, such as a filter. */
export const choiceStyle = (isChosen: boolean): string =>
  cn(
    "inline-flex h-7 items-center rounded-md border base:border-transparent px-2 text-xs whitespace-nowrap hover:bg-surface-2",
    isChosen && "border-border bg-surface-2 font-medium",
  );
