import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type * as z from 'zod/mini'
import type { storeInquiry } from '#contract/admin/queues.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { saveFile } from '../../platform/save-file'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { LoadedPage, Page, Section } from '../../ui/page'
import { TextForm } from '../../ui/text-form'
import { Timeline } from '../../ui/timeline'
import { inquiryQuery } from './support.queries'

const route = getRouteApi('/inquiries/$code')

type Inquiry = z.output<typeof storeInquiry>

function Answer({ inquiry: { code, version } }: { inquiry: Inquiry }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const answer = useWrite(
    (body: string) => api.admin.inquiries.answer({ code, body }, { context: { ifMatch: version } }),
    {
      done: t`Answer sent`,
      changes: [['inquiry', code], ['inquiries'], ['cases'], ['home']],
    },
  )
  return (
    <TextForm
      conflictKey={['inquiry', code]}
      label={t`Answer`}
      hint={t`The member gets it by email.`}
      name="body"
      rows={5}
      maxLength={5000}
      write={answer}
      submit={<Trans>Send answer</Trans>}
      variant="primary"
    />
  )
}

/** Downloads a file of a message. */
function FileButton({ code, file }: { code: Inquiry['code']; file: Inquiry['messages'][number]['files'][number] }) {
  const { t } = useLingui()
  const { number } = useFormat()
  const api = useAdminApi()
  const { id, name, bytes } = file
  const download = useWrite(() => api.admin.inquiries.file({ code, id }), {
    notifiesFailure: true,
    onDone: (content) => saveFile(content, name),
  })
  return (
    <p>
      <Button size="s" icon="download" loading={download.isPending} onClick={() => download.send(undefined)}>
        <bdi>{t`${name} (${number(bytes)} bytes)`}</bdi>
      </Button>
    </p>
  )
}

function InquiryDetail({ inquiry }: { inquiry: Inquiry }) {
  const { t } = useLingui()
  const may = useMay()
  const { code, title, status, memberId, messages } = inquiry
  const authors = { MEMBER: t`Member`, ADMIN: t`Store` } as const
  return (
    <Page
      title={title}
      badge={
        status === 'WAIT' ? (
          <Badge tone="warning">
            <Trans>Awaiting answer</Trans>
          </Badge>
        ) : (
          <Badge tone="success">
            <Trans>Answered</Trans>
          </Badge>
        )
      }
      actions={
        may('members:read') && (
          <Button render={<Link to="/members/$id" params={{ id: memberId }} />}>
            <Trans>Member</Trans>
          </Button>
        )
      }
    >
      <Section title={<Trans>Messages of {code}</Trans>}>
        <Timeline
          entries={messages.map(({ author, body, createdAt, files }) => ({
            key: createdAt,
            at: createdAt,
            title: authors[author],
            detail: (
              <>
                {body}
                {files.map((file) => (
                  <FileButton key={file.id} code={code} file={file} />
                ))}
              </>
            ),
          }))}
        />
        {may('inquiries:write') && <Answer inquiry={inquiry} />}
      </Section>
    </Page>
  )
}

/** An inquiry with its messages, and the form that answers it. */
export function InquiryPage() {
  const { t } = useLingui()
  const { code } = route.useParams()
  const inquiry = useQuery(inquiryQuery(useAdminApi(), code))
  return (
    <LoadedPage title={t`Inquiry`} query={inquiry}>
      {(data) => <InquiryDetail inquiry={data} />}
    </LoadedPage>
  )
}
