import type { ReactNode } from "react";

import { hiddenPages } from "@/app/_server/console-page";
import { pageContext } from "@/app/_server/page";
import { pageHref } from "@/components/shell/pages";
import { PageHeader } from "@/components/ui/panel";
import { SettingsNavigation } from "./_components/settings-navigation";

type Props = { params: Promise<{ workspaceId: string }>; children: ReactNode };

export default async function SettingsLayout({ params, children }: Props) {
  const { workspaceId } = await params;
  const { actor } = await pageContext(pageHref("settings", { workspaceId }));
  return (
    <>
      <PageHeader title="Settings" />
      <SettingsNavigation workspaceId={workspaceId} hidden={hiddenPages({ role: undefined, ...actor })} />
      {children}
    </>
  );
}
