import { Late, Skeleton, SkeletonRows } from "@/components/ui/skeleton";
import { SidePanel } from "../../_components/side-panel";

export default function Loading() {
  return (
    <SidePanel title="Report">
      <Late>
        <Skeleton className="mb-4 h-18" />
        <SkeletonRows rows={10} label="Loading the Report" />
      </Late>
    </SidePanel>
  );
}
