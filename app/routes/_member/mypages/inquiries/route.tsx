import { createFileRoute } from '@tanstack/react-router'
import { redirectWithNotice } from '~/platform/navigation/guards'
import { siteSettingsQuery } from '~/platform/shell/shell.functions'

/** Layout of the inquiries. Stores without inquiries redirect to the overview. */
export const Route = createFileRoute('/_member/mypages/inquiries')({
  beforeLoad: async ({ context }) => {
    const { order } = await context.queryClient.ensureQueryData(siteSettingsQuery)
    if (!order.useInquiry) throw redirectWithNotice('/mypages', 'INQUIRY_DISABLED')
  },
})
