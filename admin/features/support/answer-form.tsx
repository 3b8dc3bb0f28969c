import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { StoreInquiry } from '#contract/admin/inquiries.ts'
import { filesOfInquiry, largestInquiryFile } from '#contract/support.ts'
import { Button } from '~/ui/button'
import { Chip, Chips } from '~/ui/chip'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { FileButton } from '../../ui/file-button'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDraft, heldState } from '../../ui/form-draft'
import { TextArea } from '../../ui/text-field'
import { inquiryChanges, inquiryQuery, repliesQuery, replyPlaces } from './support.queries'

/** Milliseconds after the last key. */
const pause = 800

/**
 * The text of an answer, which the API keeps while one types. `settle` waits for what is on its
 * way, and nothing more is sent until `resume` or the next key.
 */
const useDraft = ({ code, draft }: Pick<StoreInquiry, 'code' | 'draft'>) => {
  const api = useAdminApi()
  const queryClient = useQueryClient()
  const [text, setText] = useState(draft ?? '')
  const [savedText, setSavedText] = useState(text)
  const sending = useRef<Promise<unknown>>(Promise.resolve())
  const save = useEffectEvent(() => {
    if (text === savedText) return
    // The page shows it when it is opened again.
    queryClient.setQueryData<StoreInquiry>(
      inquiryQuery(api, code).queryKey,
      (inquiry) => inquiry && { ...inquiry, draft: text },
    )
    sending.current = sending.current
      .then(() => api.admin.inquiries.saveDraft({ code, body: text }))
      .then(
        () => setSavedText(text),
        // It is sent again with the next key. The text is still in the form.
        () => {},
      )
  })
  useEffect(() => {
    if (text === savedText) return
    const timer = setTimeout(save, pause)
    return () => clearTimeout(timer)
  }, [text, savedText])
  // Whoever leaves the page in the pause keeps what they typed.
  useEffect(() => {
    const onHidden = () => document.visibilityState === 'hidden' && save()
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      document.removeEventListener('visibilitychange', onHidden)
      save()
    }
  }, [])
  return {
    text,
    setText,
    isSaved: text !== '' && text === savedText,
    settle: async () => {
      setSavedText(text)
      await sending.current
    },
    resume: () => setSavedText(savedText),
    end: () => {
      setText('')
      setSavedText('')
    },
  }
}

/** Inserts one of the store's saved replies. */
function SavedReplies({ inquiry, onChoose }: { inquiry: StoreInquiry; onChoose: (text: string) => void }) {
  const { t } = useLingui()
  const { items = [] } = useQuery(repliesQuery(useAdminApi())).data ?? {}
  const { code, title, member, language } = inquiry
  const values = { [replyPlaces.name]: member.name, [replyPlaces.number]: code, [replyPlaces.subject]: title }
  const filled = (body: string) =>
    Object.entries(values).reduce((text, [place, value]) => text.replaceAll(place, () => value), body)
  if (items.length === 0)
    return (
      <div className={form.buttons}>
        <Button size="s" render={<Link to="/saved-replies" />}>
          <Trans>Save replies that you send often</Trans>
        </Button>
      </div>
    )
  return (
    <Select
      label={t`Insert a saved reply`}
      value=""
      options={[{ value: '', label: t`Choose…` }, ...items.map((reply) => ({ value: reply.id, label: reply.title }))]}
      onChange={({ target }) => {
        const reply = items.find(({ id }) => id === target.value)
        if (reply) onChoose(filled(reply.translations[language]?.body ?? reply.body))
      }}
    />
  )
}

/** The files that an answer will have. */
const useFiles = ({ code }: Pick<StoreInquiry, 'code'>) => {
  const api = useAdminApi()
  const [files, setFiles] = useState<readonly Awaited<ReturnType<typeof api.admin.inquiries.sendFile>>[]>([])
  const upload = useWrite((file: File) => api.admin.inquiries.sendFile({ code, file }), {
    onDone: (file) => setFiles((before) => [...before, file]),
  })
  return { files, setFiles, upload }
}

/** Answers an inquiry. What is typed is saved until it is sent, also on another device. */
export function AnswerForm({ inquiry }: { inquiry: StoreInquiry }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const { fileSize, dateTime } = useFormat()
  const { code, version, writers } = inquiry
  const control = useRef<HTMLTextAreaElement>(null)
  const { text, setText, isSaved, settle, resume, end } = useDraft(inquiry)
  const { files, setFiles, upload } = useFiles(inquiry)
  const answer = useWrite(
    async () => {
      await settle()
      const sent = { code, body: text, files: files.map(({ id }) => id) }
      await api.admin.inquiries.answer(sent, { context: { ifMatch: version } }).catch((error: unknown) => {
        resume()
        throw error
      })
    },
    {
      done: t`Answer sent`,
      changes: inquiryChanges(code),
      onDone: () => {
        end()
        setFiles([])
      },
    },
  )
  const insert = (reply: string) => {
    const { selectionStart = text.length, selectionEnd = text.length } = control.current ?? {}
    setText(text.slice(0, selectionStart) + reply + text.slice(selectionEnd))
    control.current?.focus()
  }
  const errors = answer.failure?.fields ?? {}
  return (
    <form className={form.form} onSubmit={onSubmit(() => answer.send(undefined))}>
      {writers.map(({ name, updatedAt }) => (
        <Notice key={name + updatedAt}>
          <Trans>
            <bdi>{name}</bdi> has begun an answer ({dateTime(updatedAt)}).
          </Trans>
        </Notice>
      ))}
      {/* For what the API could not keep: a session that has ended, a lost connection. */}
      <FormDraft
        part={`answer ${code}`}
        isDirty={text !== '' && !isSaved}
        held={heldState(text, z.string(), setText)}
      />
      <WriteRefusal failure={answer.failure} queryKey={['inquiry', code]} onLoaded={answer.reset} />
      <SavedReplies inquiry={inquiry} onChoose={insert} />
      <TextArea
        ref={control}
        label={t`Answer`}
        hint={isSaved ? t`The member gets it by email. Draft saved.` : t`The member gets it by email.`}
        rows={8}
        maxLength={5000}
        required
        dir="auto"
        value={text}
        onChange={({ target }) => setText(target.value)}
        error={errors.body ?? errors.files}
      />
      {files.length > 0 && (
        <Chips>
          {files.map(({ id, name }) => (
            <Chip
              key={id}
              removable
              aria-label={t`Remove the file ${name}`}
              onClick={() => setFiles(files.filter((file) => file.id !== id))}
            >
              <bdi>{name}</bdi>
            </Chip>
          ))}
        </Chips>
      )}
      <Refusal failure={upload.failure} />
      <div className={form.buttons}>
        <Button type="submit" variant="primary" loading={answer.isPending} disabled={upload.isPending}>
          <Trans>Send answer</Trans>
        </Button>
        {files.length < filesOfInquiry && (
          <FileButton accept="*" isPending={upload.isPending} onChoose={(file) => upload.send(file)}>
            <Trans>Attach a file (at most {fileSize(largestInquiryFile)})</Trans>
          </FileButton>
        )}
      </div>
    </form>
  )
}
