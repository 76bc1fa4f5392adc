import type { ReactNode } from "react";

/** A Report opened from the list appears in a side panel; opened by its URL it is a page. */
export default function ReportsLayout({ children, panel }: { children: ReactNode; panel: ReactNode }) {
  return (
    <>
      {children}
      {panel}
    </>
  );
}
