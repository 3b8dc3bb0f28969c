import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SavedReply, SavedReplyForm } from '#contract/admin/inquiries.ts'
import { directionOf } from '#contract/direction.ts'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { EmptyState } from '~/ui/empty-state'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { HistoryLink } from '../../ui/history-link'
import { Page } from '../../ui/page'
import { RemovableRows } from '../../ui/row-focus'
import { Loaded } from '../../ui/states'
import { storeLanguages } from '../../ui/store-languages'
import { TextArea, TextField } from '../../ui/text-field'
import { repliesKey, repliesQuery, replyPlaces } from './support.queries'

const changes = [repliesKey]

/** Creates a saved reply, or changes `reply`. */
function ReplyDialog({ reply: given, onClose }: { reply?: SavedReply | undefined; onClose: () => void }) {
  const { t } = useLingui()
  const { savedReplies } = useAdminApi().admin
  // The version belongs to what is in the form.
  const [reply] = useState(given)
  const save = useWrite(
    (texts: SavedReplyForm) =>
      reply
        ? savedReplies.change({ id: reply.id, ...texts }, { context: { ifMatch: reply.version } })
        : savedReplies.create(texts),
    { done: t`Saved`, changes, onClose },
  )
  const errors = save.failure?.fields ?? {}
  const { locale, locales } = useSettings().base
  const others = locales.filter((language) => language !== locale)
  // Texts in languages that the store has switched off return with them.
  const unseen = Object.fromEntries(
    Object.entries(reply?.translations ?? {}).filter(([language]) => !others.some((other) => other === language)),
  )
  const { name, number, subject } = replyPlaces
  return (
    <FormDialog
      title={reply ? <Trans>Edit the saved reply</Trans> : <Trans>New saved reply</Trans>}
      action={<Trans>Save</Trans>}
      writes={[save]}
      part={`reply ${reply?.id ?? 'new'}`}
      onClose={onClose}
    >
      {(formId) => (
        <form
          id={formId}
          className={form.form}
          onSubmit={onSubmit(({ title = '', body = '', ...texts }) => {
            const written = others.flatMap((language) => {
              const text = texts[`body ${language}`]?.trim()
              return text ? [[language, { body: text }] as const] : []
            })
            save.send({ title, body, translations: { ...unseen, ...Object.fromEntries(written) } })
          })}
        >
          <WriteRefusal failure={save.failure} queryKey={repliesKey} onLoaded={onClose} />
          <TextField
            label={t`Title`}
            hint={t`Only staff see it.`}
            name="title"
            defaultValue={reply?.title}
            maxLength={60}
            required
            error={errors.title}
          />
          <TextArea
            label={t`Text`}
            hint={t`${name}, ${number} and ${subject} are replaced by the member’s name and the inquiry’s number and subject.`}
            name="body"
            rows={8}
            defaultValue={reply?.body}
            maxLength={5000}
            dir="auto"
            required
            error={errors.body}
          />
          {others.map((language) => {
            const languageName = storeLanguages[language]
            return (
              <TextArea
                key={language}
                label={t`Text (${languageName})`}
                hint={t`Inserted for members who read this language. Without it, the text above is.`}
                name={`body ${language}`}
                rows={4}
                defaultValue={reply?.translations[language]?.body}
                maxLength={5000}
                lang={language}
                dir={directionOf(language)}
                error={errors[`translations.${language}.body`]}
              />
            )
          })}
        </form>
      )}
    </FormDialog>
  )
}

function DeleteButton({ reply: { id, title, version } }: { reply: SavedReply }) {
  const { t } = useLingui()
  const { savedReplies } = useAdminApi().admin
  const remove = useWrite(() => savedReplies.delete({ id }, { context: { ifMatch: version } }), {
    done: t`Saved reply deleted`,
    changes,
    notifiesFailure: true,
  })
  const confirm = useConfirm({
    title: t`Delete the saved reply “${title}”?`,
    action: t`Delete`,
    word: t`delete`,
    onConfirm: () => remove.sendAsync(undefined),
  })
  return (
    <>
      <Button size="s" variant="ghost" aria-label={t`Delete ${title}`} onClick={confirm.ask}>
        <Trans>Delete</Trans>
      </Button>
      {confirm.dialog}
    </>
  )
}

/** The texts that staff insert into answers. */
export function SavedReplies() {
  const { t } = useLingui()
  const isAllowed = useMay()('inquiries:write')
  const replies = useQuery(repliesQuery(useAdminApi()))
  const [editing, setEditing] = useState<SavedReply | 'NEW'>()
  const close = () => setEditing(undefined)
  return (
    <Page
      title={t`Saved replies`}
      actions={
        isAllowed && (
          <Button icon="plus" variant="primary" onClick={() => setEditing('NEW')}>
            <Trans>New saved reply</Trans>
          </Button>
        )
      }
    >
      <Card>
        <Loaded query={replies}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState icon="list" compact title={<Trans>No saved replies</Trans>}>
                <Trans>Save the answers that you send often, and insert them into an answer with one choice.</Trans>
              </EmptyState>
            ) : (
              <RemovableRows
                items={items.map((reply) => ({
                  key: reply.id,
                  title: <bdi>{reply.title}</bdi>,
                  detail: <bdi>{reply.body}</bdi>,
                  end: (
                    <>
                      <HistoryLink subject={`saved-reply:${reply.id}`} name={reply.title} />
                      {isAllowed && (
                        <>
                          <Button size="s" aria-label={t`Edit ${reply.title}`} onClick={() => setEditing(reply)}>
                            <Trans>Edit</Trans>
                          </Button>
                          <DeleteButton reply={reply} />
                        </>
                      )}
                    </>
                  ),
                }))}
              />
            )
          }
        </Loaded>
      </Card>
      {editing && <ReplyDialog reply={editing === 'NEW' ? undefined : editing} onClose={close} />}
    </Page>
  )
}
