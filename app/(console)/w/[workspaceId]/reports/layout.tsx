import type { ReactNode } from "react";

/** A Report opened from the list is shown in a side panel; opened by its address it is a page. */
export default function ReportsLayout({ children, panel }: { children: ReactNode; panel: ReactNode }) {
  return (
    <>
      {children}
      {panel}
    </>
  );
}
