import { Trans, useLingui } from '@lingui/react/macro'
import type { ProductCode } from '#contract/ids.ts'
import { Dialog } from '~/ui/dialog'
import form from '../../ui/form.module.css'
import { ProductSearch } from './product-choice'

interface ProductDialogProps {
  onChoose: (code: ProductCode) => void
  onClose: () => void
}

/** Chooses a product by a search in titles and codes. */
export function ProductDialog({ onChoose, onClose }: ProductDialogProps) {
  const { t } = useLingui()
  return (
    <Dialog open onClose={onClose} title={<Trans>Choose a product</Trans>} closeLabel={t`Close`}>
      <div className={form.fields}>
        <ProductSearch
          chosen={[]}
          isSingle
          onAdd={({ code }) => {
            onChoose(code)
            onClose()
          }}
        />
      </div>
    </Dialog>
  )
}
