import type { ReactNode } from "react";

import { pageContext } from "@/app/_server/page";
import { SettingsNavigation } from "./_components/settings-navigation";
import { PageHeader } from "@/components/ui/panel";

type Props = { params: Promise<{ workspaceId: string }>; children: ReactNode };

export default async function SettingsLayout({ params, children }: Props) {
  const { workspaceId } = await params;
  const { actor } = await pageContext(`/w/${workspaceId}/settings`);
  return (
    <>
      <PageHeader title="Settings" />
      <SettingsNavigation workspaceId={workspaceId} isOperator={actor.isOperator} />
      {children}
    </>
  );
}
