import { mount } from 'svelte'
import App from './App.svelte'
import { hangUp } from './art/art'
import { speak } from './narration/i18n.svelte'
import { router, startRouting } from './net/router.svelte'
import { settings } from './device/settings.svelte'
import { at } from './net/site'
// The order is the cascade: what comes later overrules.
import './styles/tokens.css'
import './styles/ui.css'
import './styles/pages.css'

const target = document.getElementById('app')
if (!target) throw new Error('index.html has no #app')

document.documentElement.dataset.theme = settings.theme
hangUp()
startRouting()
// Nothing can be shown without words; a language is a small file that loads beside this one.
await speak(settings.language)
mount(App, { target })

// The app opens without a network too. While the pages are being worked on it would only be in the way.
// It fetches every file there is, so what this page needs itself comes first.
// In a frame of another site there may be nowhere to keep it.
if (import.meta.env.PROD && router.route.page !== 'embed' && 'serviceWorker' in navigator) {
  void document.fonts.ready.then(() => navigator.serviceWorker.register(at('/worker.js')))
}
