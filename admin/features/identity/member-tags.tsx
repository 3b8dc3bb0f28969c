import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { MemberTagResult } from '#contract/admin/members.ts'
import type { MemberId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Badge, Chip, Chips } from '~/ui/chip'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { type BulkTarget, useBulkStart } from '../../ui/bulk'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ResultDialog } from '../../ui/form-dialog'
import { Section } from '../../ui/page'
import { TextField } from '../../ui/text-field'
import { tagsQuery } from './members.queries'

/** The tags in a text, which commas separate. */
const tagsIn = (text: string | undefined) => (text ?? '').split(',').flatMap((tag) => tag.trim() || [])

const changes = [['member'], ['members'], ['member-tags']]

/** The tags in use, to choose from while one types. */
function TagChoices({ id }: { id: string }) {
  const tags = useQuery(tagsQuery(useAdminApi()))
  return (
    <datalist id={id}>
      {tags.data?.items.map(({ tag }) => (
        <option key={tag} value={tag} />
      ))}
    </datalist>
  )
}

/** The first error of a list, whose errors are by the place in it. */
const firstOf = (fields: Readonly<Record<string, string | undefined>>, list: string) =>
  Object.entries(fields).find(([path]) => path === list || path.startsWith(`${list}.`))?.[1]

/** Why a member has kept the tags. */
const useReason = () => {
  const { t } = useLingui()
  return { NOT_FOUND: t`There is no such member any more.`, TOO_MANY: t`A member has at most 30 tags.` } as const
}

/** The tags of a member, to add and to remove. */
export function TagSection({ id, tags }: { id: MemberId; tags: readonly string[] }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const choices = useId()
  const reasons = useReason()
  const isAllowed = useMay()('members:write')
  const [text, setText] = useState('')
  const change = useWrite(
    (input: { add?: string[]; remove?: string[] }) => api.admin.members.changeTags({ ids: [id], ...input }),
    { changes, onDone: ({ items: [item] }) => item?.result !== 'FAILED' && setText('') },
  )
  const reason = change.answer?.items[0]?.reason
  return (
    <Section title={<Trans>Tags</Trans>}>
      {tags.length === 0 ? (
        <p>
          <Trans>No tags.</Trans>
        </p>
      ) : (
        <Chips>
          {tags.map((tag) =>
            isAllowed ? (
              <Chip
                key={tag}
                removable
                aria-label={t`Remove the tag ${tag}`}
                onClick={() => change.send({ remove: [tag] })}
              >
                <bdi>{tag}</bdi>
              </Chip>
            ) : (
              <Badge key={tag}>
                <bdi>{tag}</bdi>
              </Badge>
            ),
          )}
        </Chips>
      )}
      {isAllowed && (
        <form className={form.form} onSubmit={onSubmit(() => change.send({ add: tagsIn(text) }))}>
          <TextField
            label={t`New tag`}
            hint={t`Separate several with commas.`}
            value={text}
            onChange={({ target }) => setText(target.value)}
            list={choices}
            maxLength={200}
            autoComplete="off"
            required
            error={
              (reason && reasons[reason]) ??
              (change.failure && (firstOf(change.failure.fields, 'add') ?? change.failure.message))
            }
          />
          <TagChoices id={choices} />
          <div className={form.buttons}>
            <Button type="submit" size="s" loading={change.isPending}>
              <Trans>Add tag</Trans>
            </Button>
          </div>
        </form>
      )}
    </Section>
  )
}

function Results({ items }: MemberTagResult) {
  const reasons = useReason()
  const changed = items.filter(({ result }) => result === 'CHANGED').length
  const unchanged = items.filter(({ result }) => result === 'UNCHANGED').length
  const failed = Map.groupBy(items, ({ reason }) => reason)
  return (
    <Notice tone={items.some(({ result }) => result === 'FAILED') ? 'warning' : 'success'}>
      <Plural value={changed} one="# member was changed." other="# members were changed." />{' '}
      {unchanged > 0 && <Plural value={unchanged} one="# was so already." other="# were so already." />}
      {[...failed].map(([reason, members]) =>
        reason === null ? null : (
          <p key={reason}>
            {members.length} · {reasons[reason]}
          </p>
        ),
      )}
    </Notice>
  )
}

interface TagDialogProps {
  ids: readonly MemberId[]
  /** All that fit filters, in place of `ids`. */
  all?: BulkTarget<'MEMBER_TAGS'> | undefined
  /** `isDone`: something was changed, so that the selection is over. */
  onClose: (isDone?: boolean) => void
}

/** Adds tags to the chosen members, or removes them. */
export function TagDialog({ ids, all, onClose }: TagDialogProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const choices = useId()
  const change = useWrite(api.admin.members.changeTags, { changes })
  const start = useBulkStart()
  const [isEmpty, setEmpty] = useState(false)
  const number = all?.count ?? ids.length
  const title = <Plural value={number} one="Tag # member" other="Tag # members" />
  const { answer } = change
  const failure = change.failure ?? start.failure
  if (answer) {
    const changed = answer.items.filter(({ result }) => result === 'CHANGED')
    // Members from whom the same tags are to be taken, and to whom the same are to be given.
    const alike = Map.groupBy(changed, ({ added, removed }) => JSON.stringify([added, removed]))
    const undo = async () => {
      const answers = await Promise.all(
        [...alike.values()].map((items) =>
          api.admin.members.changeTags({
            ids: items.map(({ id }) => id),
            add: items[0]?.removed ?? [],
            remove: items[0]?.added ?? [],
          }),
        ),
      )
      return answers.flatMap(({ items }) => items.filter(({ result }) => result === 'FAILED')).length
    }
    return (
      <ResultDialog
        title={title}
        onClose={() => onClose(true)}
        undo={changed.length > 0 ? undo : undefined}
        changes={changes}
      >
        <Results items={answer.items} />
      </ResultDialog>
    )
  }
  return (
    <FormDialog title={title} action={<Trans>Change</Trans>} writes={[change, start]} onClose={() => onClose()}>
      {(formId) => (
        <form
          id={formId}
          className={form.form}
          onChange={() => setEmpty(false)}
          onSubmit={onSubmit(({ add, remove }) => {
            const tags = { add: tagsIn(add), remove: tagsIn(remove) }
            const isNothing = tags.add.length + tags.remove.length === 0
            setEmpty(isNothing)
            if (isNothing) return
            if (all) start.send({ kind: 'MEMBER_TAGS', filters: all.filters, change: tags })
            else change.send({ ids: [...ids], ...tags })
          })}
        >
          <Refusal failure={failure} />
          <TextField
            label={t`Add`}
            hint={t`Separate several with commas.`}
            name="add"
            list={choices}
            maxLength={200}
            autoComplete="off"
            error={isEmpty ? t`Enter a tag to add or to remove.` : failure && firstOf(failure.fields, 'add')}
          />
          <TextField
            label={t`Remove`}
            name="remove"
            list={choices}
            maxLength={200}
            autoComplete="off"
            error={failure && firstOf(failure.fields, 'remove')}
          />
          <TagChoices id={choices} />
        </form>
      )}
    </FormDialog>
  )
}
