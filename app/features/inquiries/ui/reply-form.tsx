import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Inquiry } from '#contract/inquiries.ts'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { useDirtyForm } from '~/platform/forms/dirty-forms'
import { useFieldErrors } from '~/platform/forms/validation-errors'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { TextArea } from '~/ui/text-field'
import { replyToInquiry } from '../inquiries.functions'
import { inquiryQuery } from '../inquiries.queries'
import type { InquiryAttempt } from '../inquiry-attempt'
import { inquiryProblem, toldAtButton } from '../inquiry-words'
import { useUploads } from '../use-uploads'
import { FilePicker } from './file-picker'
import styles from './inquiry-detail.module.css'

/** Says more, which opens the inquiry again. A real form. */
export function ReplyForm({ inquiry, attempt }: { inquiry: Inquiry; attempt: InquiryAttempt | null }) {
  const { t, i18n } = useLingui()
  const queryClient = useQueryClient()
  const uploads = useUploads()
  const [body, setBody] = useState(attempt?.values.body ?? '')
  const [missing, setMissing] = useState(attempt?.fields.includes('body') ?? false)
  const [refused] = useFieldErrors('body')
  const { mutate, isPending, error } = useMutation({
    mutationFn: (text: string) =>
      call((signal) => replyToInquiry({ data: { code: inquiry.code, body: text, files: uploads.ids }, signal }), {
        expected: toldAtButton,
      }),
    onSuccess: async (answer) => {
      setBody('')
      uploads.clear()
      queryClient.setQueryData(inquiryQuery(inquiry.code).queryKey, answer)
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
  const code = error ? (problemOf(error)?.code ?? 'SURPRISE') : attempt?.code
  return (
    <form method="post" encType="multipart/form-data" className={styles.reply} onSubmit={submit} noValidate>
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
          {i18n._(inquiryProblem(code))}
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
