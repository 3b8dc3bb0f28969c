import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { CatalogImportId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { actorName } from '../../ui/audit-text'
import { useConfirm } from '../../ui/confirm'
import { Section } from '../../ui/page'
import { Rows } from '../../ui/rows'
import { Loaded } from '../../ui/states'
import { ImportCounts } from './import-report'
import { importsQuery } from './products.queries'
import { importTimeout } from './send-import'
import { importTables } from './table-labels'

function UndoButton({ id, name }: { id: CatalogImportId; name: string }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const queryClient = useQueryClient()
  const undo = useWrite(() => api.admin.imports.undo({ id }, { context: { timeout: importTimeout } }), {
    onDone: () => void queryClient.invalidateQueries(),
    notifiesFailure: true,
  })
  const confirm = useConfirm({
    title: t`Undo the import of ${name}?`,
    text: (
      <Trans>
        What the import has changed or removed becomes as it was before. Products that it has added are taken off sale;
        drafts stay drafts. Nothing is undone if the table has changed since.
      </Trans>
    ),
    action: t`Undo`,
    onConfirm: () => undo.sendAsync(undefined),
  })
  return (
    <>
      <Button size="s" loading={undo.isPending} aria-label={t`Undo the import of ${name}`} onClick={confirm.ask}>
        <Trans>Undo</Trans>
      </Button>
      {confirm.dialog}
    </>
  )
}

/** The imports of the last days, which are undone while nothing else has changed their tables. */
export function PastImports() {
  const { i18n } = useLingui()
  const { dateTime } = useFormat()
  const isAllowed = useMay()('products:write')
  const imports = useQuery(importsQuery(useAdminApi()))
  return (
    <Section title={<Trans>Imports of the last 30 days</Trans>}>
      <Loaded query={imports}>
        {({ items }) => (
          <Rows
            empty={<Trans>Nothing yet.</Trans>}
            items={items.map(({ id, table, file, by, counts, createdAt, undoneAt, canUndo }) => ({
              key: id,
              title: (
                <>
                  {i18n._(importTables[table])} · <bdi>{file}</bdi>
                </>
              ),
              detail: (
                <>
                  <ImportCounts counts={counts} />
                  {dateTime(createdAt)} · <bdi>{actorName(by)}</bdi>
                  {undoneAt && (
                    <>
                      {' · '}
                      <Trans>Undone {dateTime(undoneAt)}</Trans>
                    </>
                  )}
                </>
              ),
              end: isAllowed && canUndo && <UndoButton id={id} name={file} />,
            }))}
          />
        )}
      </Loaded>
    </Section>
  )
}
