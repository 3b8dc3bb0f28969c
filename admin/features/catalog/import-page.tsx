import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
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
import { FileDrop } from '../../ui/file-drop'
import { Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { Page, Section } from '../../ui/page'
import { addFiles, type ChosenFiles, ImportFiles, sendFiles } from './import-files'
import { ImportReport } from './import-report'
import { PastImports } from './past-imports'
import { importTimeout, sendUntilListed } from './send-import'
import { importTables } from './table-labels'

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
      onChange={({ target }) => onChange(z.parse(importTable, target.value))}
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
  const { number, fileSize } = useFormat()
  const api = useAdminApi()
  const queryClient = useQueryClient()
  const [table, setTable] = useState<ImportTable>('products')
  const [file, setFile] = useState<File | null>(null)
  const [beside, setBeside] = useState<ChosenFiles>({ files: [], leftOut: [] })
  const [sending, setSending] = useState(0)
  const [removes, setRemoves] = useState(false)
  const code = useStoreCode()
  // Pictures and files are sent as those of videos are.
  const mayUpload = useMay()('videos:write')
  const [typed, setTyped] = useState('')
  const send = async (dryRun: boolean, id?: CatalogImportId) => {
    if (!file) throw new Error('No file is chosen')
    const files = await sendFiles(code, beside.files, setSending).finally(() => setSending(0))
    const input = { table, file, files, removes, dryRun, id }
    return api.admin.imports.create(input, { context: { timeout: importTimeout } })
  }
  const drop = (dropped: readonly File[]) => {
    const isTable = ({ name }: File) => /\.csv$/i.test(name)
    const [first = null, ...others] = dropped.filter(isTable)
    const rest = [...others, ...dropped.filter((each) => !isTable(each))]
    change(() => {
      if (first) setFile(first)
      if (mayUpload && rest.length > 0) setBeside(addFiles(beside, rest))
    })
  }
  const check = useWrite(() => send(true))
  const run = useWrite(
    () => (check.answer ? sendUntilListed(api, (id) => send(false, id), check.answer) : send(false)),
    {
      // An import can change anything that is shown.
      onDone: ({ id }) => {
        if (!id) return
        // Their content is stored, and their uploads are removed.
        setBeside({ files: [], leftOut: [] })
        void queryClient.invalidateQueries()
      },
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
            A CSV file with the columns of an export, at most {fileSize(largestImport)}. All of it is imported, or
            nothing.
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
        <FileDrop onDrop={drop}>
          <FileButton accept=".csv,text/csv" onChoose={(chosen) => change(() => setFile(chosen))}>
            {file ? <bdi>{file.name}</bdi> : <Trans>Choose a file</Trans>}
          </FileButton>
          {mayUpload && <ImportFiles chosen={beside} onChange={(chosen) => change(() => setBeside(chosen))} />}
        </FileDrop>
        <div className={form.buttons}>
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
        <div role="status">
          {sending > 0 && (
            <Trans>
              Sending file {number(sending)} of {number(beside.files.length)}
            </Trans>
          )}
          {report && <ImportReport report={report} />}
        </div>
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
