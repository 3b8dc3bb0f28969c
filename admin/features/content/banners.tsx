import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import { picturedBanners, type StoreBanner } from '#contract/admin/content.ts'
import { bannerId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { type AdminApi, useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { ContentForm, type ContentText, TranslationForms } from '../../ui/content-form'
import { DeleteSection } from '../../ui/delete-section'
import { FileButton } from '../../ui/file-button'
import { Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { useFormKey } from '../../ui/form-key'
import { History } from '../../ui/history'
import { OrderedRows } from '../../ui/ordered-rows'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { ReadOnlyNotice } from '../../ui/read-only-notice'
import { Loaded } from '../../ui/states'
import { StatusBadge } from '../../ui/status'
import { useVersions } from '../../ui/use-versions'
import { bannersQuery } from '../catalog/products.queries'
import { BannerFields, bannerTexts, bannerTypes, customTexts, LinkWarning, useBannerIn } from './banner-fields'
import styles from './content.module.css'
import { bannerQuery } from './content.queries'
import { ContentListPage, contentStates } from './content-tabs'

const route = getRouteApi('/content/banners/$id')

type BannerText = (typeof bannerTexts | typeof customTexts)[number]['name']

/** The banners of the store in any state. Those of one place have an order. */
export function BannerList() {
  const { i18n } = useLingui()
  const api = useAdminApi()
  const list = useQuery(bannersQuery(api))
  return (
    <ContentListPage kind="banners" create={<Trans>New banner</Trans>}>
      <Loaded query={list}>
        {({ items, version, history }) => {
          /** Passing over banners of other places, whose order does not depend on this one. */
          const neighbours = (at: number) => {
            const { type } = items[at] ?? {}
            const same = items.flatMap((item, place) => (item.type === type ? [place] : []))
            const position = same.indexOf(at)
            return { up: same[position - 1], down: same[position + 1] }
          }
          return (
            <Columns aside={<History entries={history} />}>
              <Section title={<Trans>Banners</Trans>}>
                {items.length === 0 && (
                  <p>
                    <Trans>Create the first banner: a picture or a text that leads visitors to what is new.</Trans>
                  </p>
                )}
                <OrderedRows
                  queryKey={['banners']}
                  neighbours={neighbours}
                  send={({ key, position }) =>
                    api.admin.banners.move({ id: z.parse(bannerId, key), position }, { context: { ifMatch: version } })
                  }
                  items={items.map(({ id, type, title, picture, state, ...shown }) => ({
                    key: id,
                    name: title,
                    title: (
                      <span className={styles.banner}>
                        {picture && <img className={styles.thumbnail} src={picture} alt="" loading="lazy" />}
                        <Link to="/content/banners/$id" params={{ id }}>
                          <bdi>{title}</bdi>
                        </Link>
                      </span>
                    ),
                    detail: (
                      <>
                        {i18n._(bannerTypes[type])}
                        {state !== 'ENDED' && type !== 'NONE' && <LinkWarning banner={shown} />}
                      </>
                    ),
                    end: <StatusBadge status={contentStates[state]} />,
                  }))}
                />
              </Section>
            </Columns>
          )
        }}
      </Loaded>
    </ContentListPage>
  )
}

type BannerInput = Parameters<AdminApi['admin']['banners']['create']>[0]

/**
 * Creates a banner with its picture. It has no place before it has the picture, so that visitors
 * never see it without one; a file that is no picture leaves no banner.
 */
const createWithPicture = async ({ admin: { banners } }: AdminApi, fields: BannerInput, file: File) => {
  let { id, version } = await banners.create({ ...fields, type: 'NONE' })
  try {
    version = (await banners.setPicture({ id, place: 'desktop', file })).version
    return await banners.change({ id, type: fields.type }, { context: { ifMatch: version } })
  } catch (error) {
    await banners.delete({ id }, { context: { ifMatch: version } }).catch(() => undefined)
    throw error
  }
}

interface PictureChoiceProps {
  file: File | undefined
  error: string | undefined
  onChoose: (file: File) => void
}

/** Chooses the picture of a banner that is not created yet. */
function PictureChoice({ file, error, onChoose }: PictureChoiceProps) {
  return (
    <div>
      <p className={form.legend}>
        <Trans>Picture</Trans>
      </p>
      <div className={form.buttons}>
        <FileButton accept="image/*" onChoose={onChoose}>
          {file ? <Trans>Choose another picture</Trans> : <Trans>Choose a picture</Trans>}
        </FileButton>
        {file && <bdi>{file.name}</bdi>}
      </div>
      {error && <Notice tone="danger">{error}</Notice>}
    </div>
  )
}

/** Writes a banner and opens its page, where its pictures are. */
export function NewBanner() {
  const { t } = useLingui()
  const api = useAdminApi()
  const navigate = useNavigate()
  const bannerIn = useBannerIn()
  const [file, setFile] = useState<File>()
  return (
    <Page title={t`New banner`}>
      <ContentForm
        title={<Trans>Banner</Trans>}
        send={(typed) => {
          const fields = bannerIn(typed)
          const isPictured = file && picturedBanners.includes(fields.type)
          return isPictured ? createWithPicture(api, fields, file) : api.admin.banners.create(fields)
        }}
        done={t`Banner created`}
        changes={[['banners'], ['store-status']]}
        onDone={({ id }) => void navigate({ to: '/content/banners/$id', params: { id } })}
        submit={<Trans>Create banner</Trans>}
      >
        {(errors) => (
          <BannerFields
            errors={errors}
            picture={<PictureChoice file={file} error={errors.imageDesktop ?? errors.file} onChoose={setFile} />}
          />
        )}
      </ContentForm>
    </Page>
  )
}

interface PictureSectionProps {
  banner: StoreBanner
  place: 'desktop' | 'mobile'
}

function PictureSection({ banner: { id, imageDesktop, imageMobile }, place }: PictureSectionProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const isAllowed = useMay()('content:write')
  const picture = place === 'desktop' ? imageDesktop : imageMobile
  const changes = [['banner', id], ['banners']]
  const set = useWrite((file: File) => api.admin.banners.setPicture({ id, place, file }), {
    done: t`Picture saved`,
    changes,
  })
  const remove = useWrite(() => api.admin.banners.removePicture({ id, place }), { done: t`Picture removed`, changes })
  const confirm = useConfirm({
    title: t`Remove the picture?`,
    action: t`Remove`,
    onConfirm: () => remove.sendAsync(undefined),
  })
  return (
    <Section title={place === 'desktop' ? <Trans>Picture</Trans> : <Trans>Picture for phones</Trans>}>
      {picture ? (
        <img className={styles.picture} src={picture.url} alt={t`The banner`} />
      ) : (
        <p>
          {place === 'desktop' ? <Trans>There is no picture yet.</Trans> : <Trans>Phones show the other one.</Trans>}
        </p>
      )}
      <Refusal failure={set.failure ?? remove.failure} />
      {isAllowed && (
        <div className={form.buttons}>
          <FileButton accept="image/*" isPending={set.isPending} onChoose={set.send}>
            {picture ? <Trans>Replace</Trans> : <Trans>Upload a picture</Trans>}
          </FileButton>
          {picture && (
            <Button loading={remove.isPending} onClick={confirm.ask}>
              <Trans>Remove</Trans>
            </Button>
          )}
        </div>
      )}
      {confirm.dialog}
    </Section>
  )
}

function BannerEditor({ banner }: { banner: StoreBanner }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const navigate = useNavigate()
  const bannerIn = useBannerIn()
  const { id, title, translations, type, text, label, link, html, tone, startsAt, endsAt } = banner
  const { key, recordSent } = useFormKey({ title, type, text, label, link, html, tone, startsAt, endsAt })
  const queryKey = ['banner', id]
  const changes = [['banners'], ['store-status']]
  const context = { ifMatch: banner.version }
  const texts: readonly ContentText<BannerText>[] = type === 'CUSTOM' ? customTexts : bannerTexts
  const versions = useVersions({
    texts,
    values: { title, text, label, html },
    translations,
    queryKey,
    changes,
    send: (change) => api.admin.banners.change({ id, ...change }, { context }),
  })
  return (
    <Page
      title={title}
      badge={<StatusBadge status={contentStates[banner.state]} />}
      actions={
        banner.state === 'SHOWN' &&
        type !== 'NONE' && (
          <Button icon="external" render={<a href="/">{t`View in the store`}</a>}>
            <Trans>View in the store</Trans>
          </Button>
        )
      }
    >
      <ReadOnlyNotice permission="content:write" />
      <LinkWarning banner={banner} />
      <Columns
        aside={
          <>
            {[...picturedBanners, 'NONE'].includes(type) && <PictureSection banner={banner} place="desktop" />}
            {['MAIN_SLIDER_BANNER', 'NONE'].includes(type) && <PictureSection banner={banner} place="mobile" />}
            <History entries={banner.history} versions={versions} />
            <DeleteSection
              question={t`Delete the banner?`}
              word={t`delete`}
              queryKey={queryKey}
              changes={changes}
              send={() => api.admin.banners.delete({ id }, { context })}
              onDone={() => void navigate({ to: '/content/banners' })}
            />
          </>
        }
      >
        <ContentForm
          key={key}
          title={<Trans>Banner</Trans>}
          send={(typed) => api.admin.banners.change({ id, ...recordSent(bannerIn(typed)) }, { context })}
          done={t`Banner saved`}
          queryKey={queryKey}
          changes={changes}
        >
          {(errors) => <BannerFields banner={banner} errors={errors} />}
        </ContentForm>
        <TranslationForms
          fields={texts}
          translations={translations}
          queryKey={queryKey}
          changes={changes}
          send={(translated) => api.admin.banners.change({ id, translations: translated }, { context })}
        />
      </Columns>
    </Page>
  )
}

/** A banner with its place, its texts, its pictures and its history. */
export function BannerPage() {
  const { t } = useLingui()
  const { id } = route.useParams()
  const banner = useQuery(bannerQuery(useAdminApi(), id))
  return (
    <LoadedPage title={t`Banner`} query={banner}>
      {(data) => <BannerEditor banner={data} />}
    </LoadedPage>
  )
}
