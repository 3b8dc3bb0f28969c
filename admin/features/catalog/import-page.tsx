import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { contentTables, type ImportTable, importTable, largestImport } from '#contract/admin/imports.ts'
import { customerBase } from '#contract/http.ts'
import type { CatalogImportId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useStoreCode } from '../../platform/client'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { CodeConfirmation } from '../../ui/code-confirmation'
import { FileButton } from '../../ui/file-button'
import { Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { Page, Section } from '../../ui/page'
import { ImportReport } from './import-report'
import { importTables, PastImports } from './past-imports'
import { importTimeout, sendUntilListed } from './send-import'

/** The tables that the person may read or write. */
const useTables = (permission: 'content:read' | 'content:write') => {
  const may = useMay()
  return importTable.options.filter((table) => may(permission) || !contentTables.includes(table))
}

interface TableFieldProps {
  tables: readonly ImportTable[]
  value: ImportTable
  onChange: (table: ImportTable) => void
}

function TableField({ tables, value, onChange }: TableFieldProps) {
  const { t, i18n } = useLingui()
  return (
    <Select
      label={t`Table`}
      value={value}
      options={tables.map((table) => ({ value: table, label: i18n._(importTables[table]) }))}
      onChange={({ target }) => onChange(importTable.parse(target.value))}
    />
  )
}

function ExportSection() {
  const store = useStoreCode()
  const [table, setTable] = useState<ImportTable>('products')
  return (
    <Section title={<Trans>Export</Trans>}>
      <div className={form.fields}>
        <p>
          <Trans>A table for a spreadsheet. Change it there, and import it again.</Trans>
        </p>
        <TableField tables={useTables('content:read')} value={table} onChange={setTable} />
        <div className={form.buttons}>
          <Button render={<a href={`${customerBase(store)}/admin/catalog/${table}`} download={`${table}.csv`} />}>
            <Trans>Export as CSV</Trans>
          </Button>
        </div>
      </div>
    </Section>
  )
}

function ImportSection() {
  const { t } = useLingui()
  const { number } = useFormat()
  const api = useAdminApi()
  const queryClient = useQueryClient()
  const [table, setTable] = useState<ImportTable>('products')
  const [file, setFile] = useState<File | null>(null)
  const [removes, setRemoves] = useState(false)
  const code = useStoreCode()
  const [typed, setTyped] = useState('')
  const send = (dryRun: boolean, id?: CatalogImportId) => {
    if (!file) throw new Error('No file is chosen')
    return api.admin.imports.create({ table, file, removes, dryRun, id }, { context: { timeout: importTimeout } })
  }
  const check = useWrite(() => send(true))
  const run = useWrite(
    () => (check.answer ? sendUntilListed(api, (id) => send(false, id), check.answer) : send(false)),
    {
      done: t`Imported`,
      // An import can change anything that is shown.
      onDone: ({ id }) => void (id && queryClient.invalidateQueries()),
    },
  )
  const change = (apply: () => void) => {
    apply()
    setTyped('')
    check.reset()
    run.reset()
  }
  const report = run.answer ?? check.answer
  const isReady = check.answer && !run.answer && check.answer.problemCount === 0
  const { added = 0, changed = 0, removed = 0 } = check.answer?.counts ?? {}
  return (
    <Section title={<Trans>Import</Trans>}>
      <div className={form.fields}>
        <p>
          <Trans>
            A CSV file with the columns of an export, at most {number(largestImport / 1024 / 1024)} MB. All of it is
            imported, or nothing.
          </Trans>
        </p>
        <TableField
          tables={useTables('content:write')}
          value={table}
          onChange={(chosen) => change(() => setTable(chosen))}
        />
        <Checkbox
          label={t`Also remove entries that are not in the file`}
          checked={removes}
          onChange={({ target }) => change(() => setRemoves(target.checked))}
        />
        {isReady && removed > 0 && (
          <CodeConfirmation
            code={code}
            typed={typed}
            onType={setTyped}
            hint={<Plural value={removed} one="The import removes # row." other="The import removes # rows." />}
          />
        )}
        <div className={form.buttons}>
          <FileButton accept=".csv,text/csv" onChoose={(chosen) => change(() => setFile(chosen))}>
            {file ? <bdi>{file.name}</bdi> : <Trans>Choose a file</Trans>}
          </FileButton>
          <Button disabled={!file} loading={check.isPending} onClick={() => check.send(undefined)}>
            <Trans>Check the file</Trans>
          </Button>
          {isReady && added + changed + removed > 0 && (
            <Button
              variant="primary"
              disabled={removed > 0 && typed !== code}
              loading={run.isPending}
              onClick={() => run.send(undefined)}
            >
              <Trans>Import</Trans>
            </Button>
          )}
        </div>
        <Refusal failure={check.failure ?? run.failure} />
        <div role="status">{report && <ImportReport report={report} />}</div>
      </div>
    </Section>
  )
}

/** Tables of the catalogue as files. */
export function ImportPage() {
  const { t } = useLingui()
  const isAllowed = useMay()('products:write')
  return (
    <Page title={t`Import and export`}>
      {isAllowed && <ImportSection />}
      <ExportSection />
      <PastImports />
    </Page>
  )
}
