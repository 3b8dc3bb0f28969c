import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import type { InquiryCode } from '#contract/ids.ts'
import type { Inquiry, InquiryFile } from '#contract/support.ts'
import { Refusal } from '~/parts/refusal'
import { call } from '~/platform/api/call'
import { problemOf, unknownError } from '~/platform/api/problem'
import { useFieldErrors } from '~/platform/api/validation-errors'
import { siteName } from '~/platform/document/head'
import { leftToRight, useFormat } from '~/platform/format/use-format'
import { useDirtyForm } from '~/platform/forms/dirty-forms'
import { useDraft } from '~/platform/session/session-change'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { Icon } from '~/ui/icon'
import { Notice } from '~/ui/notice'
import { SectionHeading } from '~/ui/section-heading'
import { TextArea } from '~/ui/text-field'
import { inquiryDetailQuery, replyToInquiry } from '../inquiries.functions'
import { handledInline, type InquiryOutcome, inquiryProblem, useTypeName } from '../inquiry-labels'
import { useUploads } from '../use-uploads'
import { FilePicker } from './file-picker'
import styles from './inquiry-detail.module.css'
import { InquiryStatus, SubjectLine } from './inquiry-summary'

/** Replies to an inquiry, which reopens it. Works without script. */
function ReplyForm({ inquiry, outcome }: { inquiry: Inquiry; outcome: InquiryOutcome | null }) {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const uploads = useUploads()
  const form = useRef<HTMLFormElement>(null)
  useDraft(form, 'reply')
  const [body, setBody] = useState(outcome?.values.body ?? '')
  const [missing, setMissing] = useState(outcome?.errors.body !== undefined)
  const [refused] = useFieldErrors('body')
  const { mutate, isPending, error } = useMutation({
    mutationFn: (text: string) =>
      call((signal) => replyToInquiry({ data: { code: inquiry.code, body: text, files: uploads.ids }, signal }), {
        expected: handledInline,
      }),
    onSuccess: async (answer) => {
      setBody('')
      uploads.clear()
      queryClient.setQueryData(inquiryDetailQuery(inquiry.code).queryKey, answer)
      await queryClient.invalidateQueries({ queryKey: ['inquiries', 'list'] })
    },
  })
  useDirtyForm(body.trim() !== '' && !isPending)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || uploads.sending) return
    const text = body.trim()
    setMissing(text === '')
    if (text) mutate(text)
  }
  const code = error ? (problemOf(error)?.code ?? unknownError) : outcome?.code
  return (
    <form ref={form} method="post" encType="multipart/form-data" className={styles.reply} onSubmit={submit} noValidate>
      <TextArea
        name="body"
        label={inquiry.status === 'COMPLETE' ? t`Need more help?` : t`Your message`}
        rows={4}
        maxLength={5000}
        value={body}
        onChange={({ target }) => {
          setBody(target.value)
          setMissing(false)
        }}
        error={missing ? t`Enter your message.` : refused}
      />
      <FilePicker uploads={uploads} />
      {code && problemOf(error)?.status !== 422 && (
        <Notice tone="danger" urgent>
          <Refusal code={code} message={inquiryProblem(code)} />
        </Notice>
      )}
      <div>
        <Button type="submit" variant="primary" loading={isPending} disabled={uploads.sending}>
          <Trans>Send</Trans>
        </Button>
      </div>
    </form>
  )
}

/** One inquiry: its messages with their files, and the reply form. */
export function InquiryDetail({ code, outcome }: { code: InquiryCode; outcome: InquiryOutcome | null }) {
  const typeName = useTypeName()
  const { data: inquiry } = useSuspenseQuery(inquiryDetailQuery(code))
  return (
    <div className={styles.inquiry}>
      <header>
        <Link className={styles.back} to="/mypages/inquiries">
          <Icon name="arrow-start" size="s" />
          <Trans>Support</Trans>
        </Link>
        <SectionHeading
          level="h1"
          title={<bdi>{inquiry.title}</bdi>}
          text={
            <span className={styles.facts}>
              <InquiryStatus inquiry={inquiry} />
              <span>{typeName(inquiry.type)}</span>
              <span>{leftToRight(inquiry.code)}</span>
            </span>
          }
        />
      </header>
      <SubjectLine product={inquiry.product} order={inquiry.orderCode} seconds={inquiry.timeSeconds} />
      <ol className={styles.messages}>
        {inquiry.messages.map((message, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages are never reordered.
          <Message key={at} message={message} />
        ))}
      </ol>
      <ReplyForm inquiry={inquiry} outcome={outcome} />
    </div>
  )
}

function Message({ message: { author, body, files, createdAt } }: { message: Inquiry['messages'][number] }) {
  const format = useFormat()
  const store = siteName(useSiteSettings())
  return (
    <li className={styles.message} data-author={author}>
      <p className={styles.who}>
        <b>{author === 'ADMIN' ? store : <Trans>You</Trans>}</b>
        <time dateTime={createdAt}>{format.dateTime(createdAt)}</time>
      </p>
      <p className={styles.body} dir="auto">
        {body}
      </p>
      {files.length > 0 && (
        <ul className={styles.files}>
          {files.map((file) => (
            <li key={file.id}>
              <FileLink file={file} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function FileLink({ file: { name, bytes, url } }: { file: InquiryFile }) {
  const format = useFormat()
  const label = (
    <>
      <Icon name="paperclip" size="s" />
      <bdi>{name}</bdi>
      <span className={styles.size}>{format.bytes(bytes)}</span>
    </>
  )
  if (!url) return <span className={styles.file}>{label}</span>
  return (
    <a className={styles.file} href={url} download={name} rel="nofollow">
      {label}
    </a>
  )
}
