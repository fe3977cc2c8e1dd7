// Says so when the app cannot even begin: the network is away, or the page is older than the server's files.
// The app's own words are among what could not be loaded, so these few are here.
const WORDS = {
  de: ['Heckmeck ließ sich nicht laden.', 'Vielleicht gibt es gerade keine Verbindung.', 'Noch einmal versuchen'],
  en: ['Heckmeck could not be loaded.', 'There may be no connection just now.', 'Try again'],
  fr: ['Heckmeck n’a pas pu être chargé.', 'Il n’y a peut-être pas de connexion pour l’instant.', 'Réessayer'],
  it: ['Heckmeck non si è caricato.', 'Forse manca la connessione.', 'Riprova'],
  nl: ['Heckmeck kon niet worden geladen.', 'Misschien is er nu even geen verbinding.', 'Opnieuw proberen'],
  es: ['No se ha podido cargar Heckmeck.', 'Puede que ahora mismo no haya conexión.', 'Reintentar'],
}

// A file that does not come makes an event on its own element, which only capturing sees.
addEventListener('error', ({ target }) => (target === window || target.tagName === 'SCRIPT') && sorry(), true)

function sorry() {
  const app = document.getElementById('app')
  if (!app || app.childElementCount > 0) return
  const spoken = navigator.languages.map((tag) => tag.slice(0, 2)).find((language) => language in WORDS) ?? 'en'
  const [what, why, again] = WORDS[spoken]
  document.documentElement.lang = spoken
  const main = app.appendChild(document.createElement('main'))
  main.setAttribute('role', 'alert')
  main.className = 'page failed'
  main.appendChild(document.createElement('h1')).textContent = what
  main.appendChild(document.createElement('p')).textContent = why
  const button = main.appendChild(document.createElement('button'))
  button.className = 'btn primary'
  button.textContent = again
  button.addEventListener('click', () => location.reload())
}
