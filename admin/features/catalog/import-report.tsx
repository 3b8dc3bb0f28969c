import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { StoreImported } from '#contract/admin/imports.ts'
import { Notice } from '~/ui/notice'
import { DataList } from '../../ui/data-list'
import form from '../../ui/form.module.css'

/** How many rows an import adds, changes and removes, or would. */
export function ImportCounts({ counts: { added, changed, removed, unchanged } }: Pick<StoreImported, 'counts'>) {
  return (
    <p>
      <Plural value={added} one="# row added" other="# rows added" />
      {' · '}
      <Plural value={changed} one="# row changed" other="# rows changed" />
      {' · '}
      <Plural value={removed} one="# row removed" other="# rows removed" />
      {' · '}
      <Plural value={unchanged} one="# row unchanged" other="# rows unchanged" />
    </p>
  )
}

function Problems({ report: { problems, problemCount } }: { report: StoreImported }) {
  const { t } = useLingui()
  return (
    <>
      <Notice tone="danger" urgent>
        <Plural
          value={problemCount}
          one="Nothing is imported: # cell cannot be used."
          other="Nothing is imported: # cells cannot be used."
        />
      </Notice>
      <DataList
        label={t`Problems`}
        items={problems}
        keyOf={({ row, column, value, message }) => `${row} ${column} ${value} ${message}`}
        empty={null}
        columns={[
          { key: 'row', header: t`Row`, cell: ({ row }) => row ?? '–' },
          { key: 'column', header: t`Column`, cell: ({ column }) => <span dir="ltr">{column ?? '–'}</span> },
          {
            key: 'value',
            isText: true,
            header: t`Value`,
            isExtra: true,
            cell: ({ value }) => <bdi>{value ?? '–'}</bdi>,
          },
          { key: 'message', isText: true, header: t`Problem`, cell: ({ message }) => message },
        ]}
      />
    </>
  )
}

function Changes({ report: { changes, changeCount } }: { report: StoreImported }) {
  const { t } = useLingui()
  return (
    <>
      <DataList
        label={t`Changes`}
        items={changes}
        keyOf={({ key, column }) => `${key} ${column}`}
        empty={null}
        columns={[
          { key: 'key', header: t`Row`, cell: ({ key }) => <bdi>{key}</bdi> },
          { key: 'column', header: t`Column`, cell: ({ column }) => <span dir="ltr">{column}</span> },
          { key: 'from', isText: true, header: t`Before`, isExtra: true, cell: ({ from }) => <bdi>{from || '–'}</bdi> },
          { key: 'to', isText: true, header: t`After`, cell: ({ to }) => <bdi>{to || '–'}</bdi> },
        ]}
      />
      {changeCount > changes.length && (
        <p>
          <Trans>
            The first {changes.length} of {changeCount} changed cells are listed.
          </Trans>
        </p>
      )}
    </>
  )
}

function UnusedFiles({ report: { unusedFiles } }: { report: StoreImported }) {
  if (unusedFiles.length === 0) return null
  return (
    <Notice tone="warning">
      <Trans>
        No cell names these files: <bdi>{unusedFiles.join(', ')}</bdi>
      </Trans>
    </Notice>
  )
}

/** What an import has done, or would do. */
export function ImportReport({ report }: { report: StoreImported }) {
  const { counts, changes, problemCount, notReady, notReadyCount, canUndo } = report
  if (problemCount > 0)
    return (
      <div className={form.fields}>
        <Problems report={report} />
        <UnusedFiles report={report} />
      </div>
    )
  return (
    <div className={form.fields}>
      <ImportCounts counts={counts} />
      <UnusedFiles report={report} />
      {counts.notInFile > 0 && (
        <p>
          <Plural
            value={counts.notInFile}
            one="# row of the store is not in the file and stays."
            other="# rows of the store are not in the file and stay."
          />
        </p>
      )}
      {!canUndo && counts.added + counts.changed + counts.removed > 0 && (
        <Notice tone="warning">
          <Trans>This import cannot be undone, because the table is too large. Export the table first.</Trans>
        </Notice>
      )}
      {changes.length > 0 && <Changes report={report} />}
      {notReady.length > 0 && (
        <Notice tone="warning">
          <Trans>
            On sale with nothing in them, so that visitors do not see them: <span dir="ltr">{notReady.join(', ')}</span>
          </Trans>
          {notReadyCount > notReady.length && (
            <>
              {' '}
              <Trans>
                The first {notReady.length} of {notReadyCount} are listed.
              </Trans>
            </>
          )}
        </Notice>
      )}
    </div>
  )
}
