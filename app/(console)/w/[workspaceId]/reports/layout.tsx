import type { ReactNode } from "react";

/** A Report that is opened from the list lies beside it; by its own address it is a page. */
export default function ReportsLayout({ children, panel }: { children: ReactNode; panel: ReactNode }) {
  return (
    <>
      {children}
      {panel}
    </>
  );
}
