# Written by tests/engine/pxd.py from core.py, where it is said what each of these is; a test compares the two.
cimport cython


@cython.final
cdef class State:
    cdef int players
    cdef int highest
    cdef bint wild
    cdef int first_turn
    cdef bint finish_first_turns
    cdef bint own_train_first
    cdef bint follow_on_double
    cdef bint follow_draw
    cdef int second_double
    cdef bint bind
    cdef int double_blank
    cdef int wild_points
    cdef int tile_count
    cdef int turn
    cdef int phase
    cdef int drawn
    cdef int direction
    cdef int ending
    cdef int turns
    cdef int laid
    cdef int pile_next
    cdef int pile_end
    cdef bint placed
    cdef unsigned int pending
    cdef unsigned int marked
    cdef unsigned int begun
    cdef unsigned int doubles
    cdef unsigned int turn_doubles
    cdef unsigned int first_pending
    cdef unsigned int passed
    cdef unsigned char ends[16]
    cdef unsigned char sizes[14]
    cdef unsigned short passes[14]
    cdef unsigned int table[20]
    cdef unsigned short pile[190]
    cdef unsigned int hands[280]
    cdef int found
    cdef int slots
    cdef unsigned int slot_fits[320]
    cdef unsigned int slot_from[320]
    cdef unsigned char slot_train[320]
    cdef unsigned char slot_attached[320]
    cdef bint by_itself
    cdef unsigned int left_open
    cdef bint tracking
    cdef bint as_void
    cdef bint joint
    cdef unsigned int void[20]
    cdef unsigned int rng
    cdef long long plays
    cdef long long draws
    cdef long long gave_up
    cdef long long stops
    cdef long long blocked
    cdef long long points
    cdef unsigned int checksum
    cdef int set_size
    cdef unsigned short whole_set[190]
    cdef int end_of_fields
    cdef list _undo
    cdef void clear(self, int engine, int starter) noexcept nogil
    cdef void take(self, int seat, int a, int b) noexcept nogil
    cdef void copy_from(self, State other) noexcept nogil
    cdef bint alive(self, int train) noexcept nogil
    cdef unsigned int binding(self) noexcept nogil
    cdef bint on_own_only(self) noexcept nogil
    cdef unsigned int open_trains(self) noexcept nogil
    cdef bint third_tile(self, int train, int value) noexcept nogil
    cdef bint double_allowed(self, int train, int value) noexcept nogil
    cdef void add_slot(self, int train, int attached, unsigned int fits) noexcept nogil
    cdef unsigned int only_drawn(self, int attached, unsigned int fits) noexcept nogil
    cdef int find(self) noexcept nogil
    cdef int find_held(self, unsigned int trains) noexcept nogil
    cdef int find_drawn(self, unsigned int trains) noexcept nogil
    cdef int find_after_double(self, unsigned int trains) noexcept nogil
    cdef void find_last_double(self, unsigned int beside) noexcept nogil
    cdef void find_wild(self, unsigned int trains) noexcept nogil
    cdef void find_wild_plainly(self, unsigned int trains, unsigned int row) noexcept nogil
    cdef void find_wild_slot(self, int train, int attached) noexcept nogil
    cdef void find_anywhere(self, unsigned int beside) noexcept nogil
    cdef bint may_draw(self) noexcept nogil
    cdef bint draws_here(self) noexcept nogil
    cdef bint may_stop(self) noexcept nogil
    cdef void place(self, int train, int a, int b) noexcept nogil
    cdef void letter(self, int b) noexcept nogil
    cdef void go_out(self) noexcept nogil
    cdef void end_by_itself(self) noexcept nogil
    cdef int after(self, int seat) noexcept nogil
    cdef void end_turn(self) noexcept nogil
    cdef void meet_pending(self) noexcept nogil
    cdef void draw(self) noexcept nogil
    cdef void give_up(self) noexcept nogil
    cdef void stop(self) noexcept nogil
    cdef void find_void(self) noexcept nogil
    cdef int hand_points(self, int seat) noexcept nogil
    cdef int below(self, int n) noexcept nogil
    cdef unsigned int number(self) noexcept nogil
    cdef void swap(self, int i, int j) noexcept nogil
    cdef void deal_random(self, int engine, int hand_size, int starter) noexcept nogil
    cdef void engine_from_hands(self, int first) noexcept nogil
    cdef void set_engine(self, int seat, int v) noexcept nogil
    cdef void place_nth(self, int k) noexcept nogil
    cdef int slot_of(self, unsigned int k) noexcept nogil
    cdef int train_of(self, int slot) noexcept nogil
    cdef int attached_of(self, int slot) noexcept nogil
    cdef void play_randomly(self) noexcept nogil
    cdef void many_rounds(self, long long rounds, int engine, int hand_size) noexcept nogil
    cpdef int whose(self) noexcept nogil
    cdef int outer_train(self, int train) noexcept nogil
    cdef int exposed_if_legal(self, int train, int attached, int exposed) noexcept nogil
    cdef bint may(self, int code) noexcept nogil
    cpdef int number_of(self, int train, int attached, int exposed) noexcept nogil
    cdef tuple refusal_of_giving_up(self, int code)
    cdef tuple refusal_of_tile(self, int train, int a, int b)
    cdef tuple refusal_of_train(self, int train, int a, int b)
    cdef tuple refusal_of_fit(self, int train, int a, int b)


@cython.final
cdef class Worlds:
    cdef State start
    cdef State world
    cdef int n
    cdef int rings
    cdef int pile_slots
    cdef bint joint
    cdef int turn
    cdef int phase
    cdef int moves
    cdef int draws
    cdef int fixed
    cdef unsigned int rng
    cdef int last_seen[2660]
    cdef unsigned char may_lie[36100]
    cdef unsigned short tile[190]
    cdef int tile_seat[190]
    cdef int tile_move[190]
    cdef int slot_seat[190]
    cdef int slot_move[190]
    cdef int tile_at[190]
    cdef int slot_of[190]
    cdef int draw_slot[190]
    cdef unsigned short draw_tile[190]
    cdef int fixed_seat[190]
    cdef unsigned short fixed_tile[190]
    cdef int played[8192]
    cdef int letter[3]
    cdef int letters
    cdef int letters_played
    cdef int reached[190]
    cdef int queue[190]
    cdef int end
    cdef bint seat_tile(self, int tile) noexcept nogil
    cdef int below(self, int n) noexcept nogil
    cdef void ring(self) noexcept nogil
    cdef void next_deal(self, int rings) noexcept nogil
    cdef bint fair_letters(self) noexcept nogil
    cdef int letter_ways(self) noexcept nogil
    cdef int could_change(self, int a, int to_a, int b, int to_b, int c, int to_c) noexcept nogil
    cdef int slot_with(self, int tile) noexcept nogil
    cdef bint play_to_now(self) noexcept nogil
    cdef void deal_out(self) noexcept nogil
    cdef int train_played(self, int i) noexcept nogil
    cdef int attached_played(self, int i) noexcept nogil
    cdef int exposed_played(self, int i) noexcept nogil
    cdef void make_move(self, int i) noexcept nogil
