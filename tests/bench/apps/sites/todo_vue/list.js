const VIEWS = { All: () => true, Active: (item) => !item.done, Completed: (item) => item.done };

Vue.createApp({
  data: () => ({
    items: Array.from({ length: 20 }, (_, at) => ({ id: at, title: `Errand ${at + 1}`, done: at % 4 === 0 })),
    words: "",
    view: "All",
    changing: null,
  }),
  computed: {
    shown() { return this.items.filter(VIEWS[this.view]); },
    left() { return this.items.filter((one) => !one.done).length; },
  },
  methods: {
    add() {
      if (!this.words.trim()) return;
      const id = Math.max(-1, ...this.items.map((one) => one.id)) + 1;
      this.items.push({ id, title: this.words.trim(), done: false });
      this.words = "";
    },
    markAll() {
      const done = this.left > 0;
      for (const item of this.items) item.done = done;
    },
    remove(item) { this.items = this.items.filter((one) => one.id !== item.id); },
  },
}).mount("#root");
